import { gzipSync } from 'node:zlib'

import type { Has } from './faults.ts'

/** The answers of the stub. */
export interface Reply {
  readonly status: number
  readonly body: string
}

export const reply = (status: number, body: unknown): Reply => ({ status, body: JSON.stringify(body) })
export const refuse = (rm: string, status = 200): Reply => reply(status, { rc: 0, rm })

/** The bytes of an answer, written in all the ways that a backend may or may not. */
export function written(has: Has, text: string): Buffer {
  if (has('marks-answers')) return Buffer.from(`\ufeff${text}`)
  if (has('cuts-answers')) return Buffer.from(text.slice(0, -1))
  if (has('answers-in-latin-1')) return Buffer.from(text, 'latin1')
  return has('compresses-answers') ? gzipSync(text) : Buffer.from(text)
}

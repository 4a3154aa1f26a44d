import type { Answer } from '../protocol/answer.ts'
import { dataOf } from '../protocol/answer.ts'
import type { Json } from '../protocol/exact-json.ts'
import type { PreparedCallback } from './prepare.ts'

/** The test data that the backend stored for one material, or as its font set. */
export interface StoredNote {
  readonly what: string
  readonly times: number
  readonly lastVersion: string
}

/** A hundred states of this size are kept without harm. */
const keptStateMaxChars = 20_000

/**
 * Records the run for cases that check it afterwards, and for the report of stored test data. Answers are searched for the
 * given texts as they arrive, because keeping all of them may take too much memory.
 */
export function createTranscript(watchedFor: readonly string[]) {
  const found = new Map<string, number>()
  let isSilent = false
  const stored = new Map<string, StoredNote>()
  /** When the first save of a material was accepted, in `performance.now()` time, and the states that were answered. */
  const saves = new Map<string, { readonly firstAtMs: number; readonly states: (Json | null)[] }>()
  return {
    answered(answer: Answer): void {
      if (answer.kind === 'silent' || answer.kind === 'unreached') isSilent = true
      if (answer.kind !== 'answer') return
      const whole = `${JSON.stringify(answer.headers)}\n${answer.text}`
      for (const text of watchedFor) if (whole.includes(text)) found.set(text, (found.get(text) ?? 0) + 1)
    },
    stored({ event, material, versionId }: PreparedCallback, answer: Answer): void {
      const what = event === 'article_saved' ? `material ${material}` : 'the font set of the site'
      stored.set(what, { what, times: (stored.get(what)?.times ?? 0) + 1, lastVersion: versionId })
      if (event !== 'article_saved') return
      const { firstAtMs, states } = saves.get(material) ?? { firstAtMs: performance.now(), states: [] }
      const isSmall = answer.kind === 'answer' && answer.text.length <= keptStateMaxChars
      saves.set(material, { firstAtMs, states: [...states, isSmall ? (dataOf(answer, 'vms_json') ?? null) : null] })
    },
    /** Whether a save of the material had been accepted before this `performance.now()` time. */
    hadSaved: (material: string, atMs: number): boolean => (saves.get(material)?.firstAtMs ?? Infinity) < atMs,
    /** The states in the answers to accepted saves of the material; null for one that was not answered, or is too large. */
    statesOf: (material: string): readonly (Json | null)[] => saves.get(material)?.states ?? [],
    /** Whether a callback went unanswered since the last call. */
    wentSilent(): boolean {
      const was = isSilent
      isSilent = false
      return was
    },
    /** How many answers so far contain this text, in headers or body. */
    answersWith: (text: string): number => found.get(text) ?? 0,
    notes: (): readonly StoredNote[] => [...stored.values()],
  }
}

export type Transcript = ReturnType<typeof createTranscript>

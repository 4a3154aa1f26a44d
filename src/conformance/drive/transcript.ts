import type { Answer } from '../protocol/answer.ts'
import type { PreparedCallback } from './prepare.ts'

/** The test data that the backend stored for one material, or as its font set. */
export interface StoredNote {
  readonly what: string
  readonly times: number
  readonly lastVersion: string
}

/**
 * Records the run for cases that check it afterwards, and for the report of stored test data. Answers are searched for the
 * given texts as they arrive, because keeping all of them may take too much memory.
 */
export function createTranscript(watchedFor: readonly string[]) {
  const found = new Map<string, number>()
  let isSilent = false
  const stored = new Map<string, StoredNote>()
  /** When the first save of a material was accepted, in `performance.now()` time. */
  const savedAtMs = new Map<string, number>()
  return {
    answered(answer: Answer): void {
      if (answer.kind === 'silent' || answer.kind === 'unreached') isSilent = true
      if (answer.kind !== 'answer') return
      const whole = `${JSON.stringify(answer.headers)}\n${answer.text}`
      for (const text of watchedFor) if (whole.includes(text)) found.set(text, (found.get(text) ?? 0) + 1)
    },
    stored({ event, material, versionId }: PreparedCallback): void {
      const what = event === 'article_saved' ? `material ${material}` : 'the font set of the site'
      stored.set(what, { what, times: (stored.get(what)?.times ?? 0) + 1, lastVersion: versionId })
      if (event === 'article_saved' && !savedAtMs.has(material)) savedAtMs.set(material, performance.now())
    },
    /** Whether a save of the material had been accepted before this `performance.now()` time. */
    hadSaved: (material: string, atMs: number): boolean => (savedAtMs.get(material) ?? Infinity) < atMs,
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

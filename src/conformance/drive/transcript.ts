import type { Answer } from '../protocol/answer.ts'
import type { Prepared } from './prepare.ts'

/** What was stored in the backend under one material, or as its font set. */
export interface StoredNote {
  readonly what: string
  readonly times: number
  readonly lastVersion: string
}

/**
 * What the run remembers of itself: for the cases that look back, and for the note of what it left behind. Answers are
 * looked through for the given texts as they come: all of a run may be too large to keep.
 */
export function createTranscript(watchedFor: readonly string[]) {
  const found = new Map<string, number>()
  let isSilent = false
  const stored = new Map<string, StoredNote>()
  /** When the first save of a material was accepted, by `performance.now()`. */
  const savedAtMs = new Map<string, number>()
  return {
    answered(answer: Answer): void {
      if (answer.kind === 'silent' || answer.kind === 'unreached') isSilent = true
      if (answer.kind !== 'answer') return
      const whole = `${JSON.stringify(answer.headers)}\n${answer.text}`
      for (const text of watchedFor) if (whole.includes(text)) found.set(text, (found.get(text) ?? 0) + 1)
    },
    stored({ event, material, versionId }: Prepared): void {
      const what = event === 'article_saved' ? `material ${material}` : 'the font set of the site'
      stored.set(what, { what, times: (stored.get(what)?.times ?? 0) + 1, lastVersion: versionId })
      if (event === 'article_saved' && !savedAtMs.has(material)) savedAtMs.set(material, performance.now())
    },
    /** Whether a save of the material had been accepted at a moment of `performance.now()`. */
    hadSaved: (material: string, atMs: number): boolean => (savedAtMs.get(material) ?? Infinity) < atMs,
    /** Whether a callback went unanswered since this was last asked. */
    wentSilent(): boolean {
      const was = isSilent
      isSilent = false
      return was
    },
    /** How many answers so far hold this one of the texts, in headers or body. */
    answersWith: (text: string): number => found.get(text) ?? 0,
    notes: (): readonly StoredNote[] => [...stored.values()],
  }
}

export type Transcript = ReturnType<typeof createTranscript>

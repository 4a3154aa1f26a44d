import { keysIn } from '../../../../contract/keys-in.ts'

/** The code of a sentence, and its facts. */
interface Found<Code> {
  readonly code: Code
  readonly name?: string
  readonly why?: string
}

/**
 * Finds the code of a stored sentence among these, which have `{{name}}` and `{{why}}` in place of facts; null if none
 * matches.
 */
export function sentenceReader<Code extends string>(
  sentences: Readonly<Record<Code, string>>,
): (sentence: string) => Found<Code> | null {
  const patterns = keysIn(sentences).map((code) => ({ code, pattern: patternOf(sentences[code]) }))
  return (sentence) => {
    for (const { code, pattern } of patterns) {
      const found = pattern.exec(sentence)
      if (found !== null) return { code, ...found.groups }
    }
    return null
  }
}

const patternOf = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence.replace(/[.()]/g, '\\$&').replace(/\{\{(name|why)\}\}/g, (_, fact: string) => `(?<${fact}>[^]*)`)}$`,
    'u',
  )

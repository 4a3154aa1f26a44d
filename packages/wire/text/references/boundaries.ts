const asciiSet = (characters: string): Uint8Array => {
  const set = new Uint8Array(0x80)
  for (const character of characters) set[character.charCodeAt(0)] = 1
  return set
}

// Characters that continue a name or a path: a token next to one of them is part of a longer one.
const continues = asciiSet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-./%~@')

const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** Whether a reference may begin at `at`: at the start of the text, or after a character that does not continue a name. */
export function isLeftBoundary(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (before < 0x80) return continues[before] === 0
  const isPair = at > 1 && before >= 0xdc00 && before <= 0xdfff
  return !wordCharacter.test(text.slice(isPair ? at - 2 : at - 1, at))
}

/** Whether a reference may end at `at`: at the end of the text, or before a character that does not continue its name. */
export function isRightBoundary(text: string, at: number): boolean {
  if (at >= text.length) return true
  const after = text.charCodeAt(at)
  if (after < 0x80) return continues[after] === 0
  // The middle of a surrogate pair is not a boundary.
  return !((after >= 0xdc00 && after <= 0xdfff) || wordCharacter.test(String.fromCodePoint(text.codePointAt(at) ?? 0)))
}

import { readJson } from './reader.ts'
import { stringEnd, whitespaceEnd } from './tokens.ts'

const indentOf = (depth: number): string => `\n${'  '.repeat(depth)}`

/** A number or a literal. */
const bare = /[^\s,\]}]+/y

/**
 * Formats JSON with one line for each member, for reading and comparing. Strings and numbers stay as written, so different
 * values never look equal. Returns invalid JSON unchanged. Iterative and linear.
 */
export function jsonLines(text: string): string {
  if (!readJson(text).ok) return text
  const parts: string[] = []
  let depth = 0
  for (let at = whitespaceEnd(text, 0); at < text.length; at = whitespaceEnd(text, at)) {
    const sign = text.charAt(at)
    if (sign === '"') {
      const end = stringEnd(text, at)
      parts.push(text.slice(at, end))
      at = end
    } else if (sign === '{' || sign === '[') {
      const inside = whitespaceEnd(text, at + 1)
      const isEmpty = text[inside] === '}' || text[inside] === ']'
      if (!isEmpty) depth += 1
      parts.push(isEmpty ? sign + text.charAt(inside) : sign + indentOf(depth))
      at = isEmpty ? inside + 1 : at + 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      parts.push(indentOf(depth) + sign)
      at += 1
    } else if (sign === ',' || sign === ':') {
      parts.push(sign === ',' ? sign + indentOf(depth) : ': ')
      at += 1
    } else {
      bare.lastIndex = at
      parts.push(bare.exec(text)?.[0] ?? '')
      at = bare.lastIndex
    }
  }
  return parts.join('')
}

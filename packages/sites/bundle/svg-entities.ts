import { entities } from '@galley/wire'

import { withoutNumbers } from './svg.ts'

const literal = `(?:"[^"]*"|'[^']*')`
const aside = String.raw`<!--[^]*?-->|<\?[^]*?\?>`
/** A declared entity that is text. */
const entity = String.raw`<!ENTITY\s+([^\s<>"'%&;]+)\s+(${literal})\s*>`
const other = String.raw`<!(?:ATTLIST|ELEMENT|NOTATION)\s[^<>"']*(?:${literal}[^<>"']*)*>`
const declaration = new RegExp(String.raw`\s+|${aside}|${other}|${entity}`, 'y')

/** What may precede the document type. */
const before = new RegExp(`[^<]+|${aside}`, 'y')
/** The document type up to its declarations. */
const opening = new RegExp(
  String.raw`(<!DOCTYPE\s+[^\s<>[\]"']+(?:\s+(?:PUBLIC\s+${literal}\s+|SYSTEM\s+)${literal})?)\s*\[`,
  'y',
)
const ending = /\]\s*>/y

/** Text in which every `&` is a plain character or starts the name of one. */
const named = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|&([^\s#;&<>"']+);/g
const own = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/** The maximum text that entities may add to a drawing. Drawing programs declare a few namespaces. */
const addedMaxChars = 1024 ** 2

/**
 * A drawing with the text of its entities in their places and without declarations, so that what is judged is what browsers
 * read; null if an entity is markup, contains others, or lies outside. Names that a document type may know become characters.
 */
export function withoutEntities(text: string): string | null {
  const values = new Map<string, string>()
  let whole = text
  const start = readAll(before, text, 0)
  opening.lastIndex = start
  const [head, kept = ''] = opening.exec(text) ?? []
  if (head !== undefined) {
    let isPlain = true
    ending.lastIndex = readAll(declaration, text, start + head.length, (name, quoted) => {
      const value = withoutNumbers(quoted.slice(1, -1))
      isPlain &&= !/[<&%]/.test(value)
      // If a name is declared twice, the first declaration applies.
      if (!values.has(name)) values.set(name, value)
    })
    if (!isPlain || !ending.test(text)) return null
    whole = `${text.slice(0, start)}${kept}>${text.slice(ending.lastIndex)}`
  }
  const { decode } = entities()
  let added = 0
  const resolved = whole.replace(named, (all, name?: string) => {
    if (name === undefined || own.has(name) || added > addedMaxChars) return all
    const value = values.get(name) ?? (/^[a-z][a-z0-9]*$/i.test(name) ? decode(all) : null)
    added += value?.length ?? 0
    return value === null ? all : value.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
  })
  return added > addedMaxChars ? null : resolved
}

/** The end of a run of such pieces. Matches them one by one, because a single pattern would overflow the stack. */
function readAll(piece: RegExp, text: string, from: number, onEntity?: (name: string, quoted: string) => void): number {
  let at = from
  piece.lastIndex = at
  for (let match = piece.exec(text); match !== null; match = piece.exec(text)) {
    const [, name, quoted] = match
    if (name !== undefined && quoted !== undefined) onEntity?.(name, quoted)
    at = piece.lastIndex
  }
  return at
}

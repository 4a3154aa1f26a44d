import type { z } from 'zod'

/** A generator of numbers from 0 to 1. */
type Random = () => number

/** Values that a call may know, by the name of the member that holds them. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

const pick = <Value>(random: Random, from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value]
  return value
}
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

const hugeText = 'x'.repeat(1_000_000)
const hugeList = Array.from({ length: 50_000 }, (_, at) => at)

/** Texts that mean something to a path, an address, a database, a log or a terminal; `outside` is a folder nobody has chosen. */
const hostileTexts = (outside: string): readonly string[] => [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\n',
  '\r\nforged: line',
  '\u001B[2J',
  '\u202E',
  '\uD800',
  'é'.repeat(300),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  `${outside}/x`,
  outside,
  `folder:${outside}`,
  `../../${outside}/x`,
  `file://${outside}/x`,
  '..',
  '.',
  '/',
  '~/x',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\Windows',
  'nul',
  '%2e%2e%2f',
  `${outside}\u0000.zip`,
  'http://127.0.0.1:9/x',
  'https://host.invalid/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//host.invalid',
  "'; DROP TABLE site; --",
  '%',
  '_',
  '*',
  '" OR 1=1',
  '{{secret}}',
  '$t(system:menu.quit)',
  '${1}',
  '<b>',
  'null',
  'undefined',
  'true',
  '-1',
  '1e999',
  '0x10',
  '9007199254740993',
  '2026-11-22T00:00:00Z',
  '🂡'.repeat(99),
]

const hostileValues: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1.5,
  Number.NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  1e308,
  10n,

  [],
  {},
  [[]],
  [null],
  [undefined],
  new Date(0),
  new Date(Number.NaN),
  /x/,
  new Map([['site', 'acme']]),
  new Set([1]),
  new Uint8Array(8),
  new ArrayBuffer(8),
  new Error('x'),
  Object.create(null),
  Object.create({ site: 'acme' }),
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
  deep(50),
  deep(3_000),
  cyclic,
  hugeText,
  hugeList,
  { ok: true, value: {} },
  { length: 2 ** 31 },
]

const numbers = [0, 1, 2, 10, 16, 50, 100, 500, 8787, -1, 1.5, 2 ** 31, 2 ** 53]

/**
 * Inputs of one call, from a seed: most are shaped by its schema and hold known or hostile values, with a member here and there
 * that is anything at all; some are anything at all.
 */
export function hostileInputs(schema: z.ZodType, known: KnownValues, outside: string, random: Random): () => unknown {
  const texts = hostileTexts(outside)
  const everyKnown = Object.values(known).flat()
  const anything = (): unknown => (random() < 0.5 ? pick(random, texts) : pick(random, hostileValues))

  /** How many of the members are anything at all: none in a calm input, which comes past the schema more often. */
  let wildness = 0

  function text(name: string): unknown {
    const own = known[name] ?? []
    if (own.length > 0 && random() < 0.7) return pick(random, own)
    return random() < 0.3 ? pick(random, everyKnown) : pick(random, texts)
  }

  function shaped(type: z.core.$ZodType, name: string): unknown {
    if (random() < wildness) return anything()
    const { def } = (type as z.core.$ZodTypes)._zod
    if (def.type === 'object') {
      const members = Object.entries(def.shape).map(([key, of]) => [key, shaped(of, key)] as const)
      const kept = members.filter(([, value]) => value !== undefined)
      if (random() < wildness / 2) kept.push([pick(random, texts), anything()])
      return Object.fromEntries(kept)
    }
    if (def.type === 'array') return Array.from({ length: pick(random, [0, 1, 2, 5]) }, () => shaped(def.element, name))
    if (def.type === 'tuple') return def.items.map((item) => shaped(item, name))
    if (def.type === 'record') return Object.fromEntries([[pick(random, texts), shaped(def.valueType, name)]])
    if (def.type === 'union') return shaped(pick(random, def.options), name)
    if (def.type === 'nullable') return random() < 0.4 ? null : shaped(def.innerType, name)
    if (def.type === 'optional')
      return random() < (wildness === 0 ? 0.75 : 0.4) ? undefined : shaped(def.innerType, name)
    if (def.type === 'readonly' || def.type === 'nonoptional') return shaped(def.innerType, name)
    if (def.type === 'pipe') return shaped(def.in, name)
    if (def.type === 'literal') return def.values[0]
    if (def.type === 'enum') return pick(random, Object.values(def.entries))
    if (def.type === 'boolean') return random() < 0.5
    if (def.type === 'number') return pick(random, wildness === 0 ? [1, 16, 50] : numbers)
    if (def.type === 'undefined') return undefined
    if (def.type === 'null') return null
    if (def.type !== 'string') throw new Error(`Inputs have a kind of value that nobody makes here: ${def.type}`)
    const isMoment = 'format' in def && def.format === 'datetime'
    return isMoment && wildness === 0 ? '2026-11-22T00:00:00.000Z' : text(name)
  }
  return () => {
    wildness = pick(random, [0, 0, 0.05, 0.3])
    return random() < 0.1 ? anything() : shaped(schema, '')
  }
}

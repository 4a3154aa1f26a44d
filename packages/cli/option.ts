import type { ZodType } from 'zod'

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** One option: what is parsed, and what help, completion and manual say of it. */
export interface Option<Value = unknown> {
  /** What it does, without a full stop. */
  readonly says: string
  /** The name of its value in the help; null for a switch. */
  readonly value: string | null
  readonly choices?: readonly string[]
  /** A value that `read` accepts, where the name of the value does not show one. */
  readonly example?: string
  /** What is used without it. */
  readonly default?: string
  readonly isNeeded?: true
  readonly isRepeatable?: true
  /** The value of the texts that were given: none without the option. Throws UsageError. */
  readonly read: (name: string, given: readonly string[]) => Value
}

/** Options by their names: `dryRun` is `--dry-run`. */
export type Options = Readonly<Record<string, Option>>

/** What was given on the command line, by the names in the table. */
export type Given = Readonly<Record<string, readonly string[]>>

export type Values<Own extends Options> = {
  readonly [Name in keyof Own]: Own[Name] extends Option<infer Value> ? Value : never
}

/** The name on the command line, without its hyphens. */
export const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const valuesOf = <Own extends Options>(options: Own, given: Given): Values<Own> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.read(dashed(name), given[name] ?? [])]),
  ) as Values<Own>

type Read<Value> = (name: string, given: string) => Value

/** A switch. */
export const flag = (says: string): Option<boolean> => ({ says, value: null, read: (_name, given) => given.length > 0 })

/** A value as `read` understands it; null without the option. */
export const parsed = <Value>(
  value: string,
  says: string,
  example: string,
  read: Read<Value>,
): Option<Value | null> => ({
  says,
  value,
  example,
  read: (name, [given]) => (given === undefined ? null : read(name, given)),
})

const asGiven = (_name: string, given: string): string => given

/** A text; never empty. */
export const text = (value: string, says: string, example: string): Option<string | null> =>
  parsed(value, says, example, asGiven)

/** A value that `none` clears; undefined without the option. */
export const orNone = <Value>({ read, ...option }: Option<Value>): Option<NonNullable<Value> | null | undefined> => ({
  ...option,
  value: `${option.value ?? ''}|none`,
  read: (name, given) =>
    given[0] === undefined ? undefined : given[0] === 'none' ? null : (read(name, given) ?? null),
})

/** An integer within bounds. */
export const wholeNumber = (min: number, max: number, says: string, example: number): Option<number | null> =>
  parsed('N', says, String(example), (name, given) => {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value < min || value > max)
      throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
    return value
  })

/** The longest list of words, in characters, that help shows in place of the name of a value. */
const shownInline = 50

/** One of several words. */
export const choice = <const Word extends string>(words: readonly Word[], says: string): Option<Word | null> => ({
  ...parsed(words.join('|').length > shownInline ? 'WORD' : words.join('|'), says, words[0] ?? '', (name, given) => {
    const word = words.find((each) => each === given)
    if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`)
    return word
  }),
  choices: words,
})

/** `on` or `off`. */
export const onOff = (says: string): Option<boolean | null> => {
  const option = choice(['on', 'off'], says)
  return {
    ...option,
    read(name, given) {
      const word = option.read(name, given)
      return word === null ? null : word === 'on'
    },
  }
}

/** An option that may be given several times. */
export const several = <Value>({ read, ...option }: Option<Value>): Option<readonly NonNullable<Value>[]> => ({
  ...option,
  isRepeatable: true,
  read: (name, given) =>
    given.flatMap((each) => {
      const value = read(name, [each])
      // In a list of its own, because a value may be a list.
      return value === null || value === undefined ? [] : [value]
    }),
})

/** An option that may be given several times and that `none` clears; undefined without it. */
export function severalOrNone<Value>(option: Option<Value>): Option<readonly NonNullable<Value>[] | undefined> {
  const { read, ...all } = several(option)
  return {
    ...all,
    value: `${option.value ?? ''}|none`,
    read(name, given) {
      if (given.length > 1 && given.includes('none'))
        throw new UsageError(`--${name} none cannot be combined with another value`)
      return given.length === 0 ? undefined : given[0] === 'none' ? [] : read(name, given)
    },
  }
}

/** With this value where it is not given. */
export const byDefault = <const Value extends string | number>(
  { read, ...option }: Option<Value | null>,
  value: Value,
): Option<Value> => ({ ...option, default: String(value), read: (name, given) => read(name, given) ?? value })

/** An option without which the command does not run. */
export const needed = <Value>({ read, ...option }: Option<Value>): Option<NonNullable<Value>> => ({
  ...option,
  isNeeded: true,
  read(name, given) {
    const value = read(name, given)
    if (value === null || value === undefined) throw new UsageError(`--${name} is missing: ${option.says}`)
    return value
  },
})

/** Reads a value by this rule. */
export const byRule =
  <Value>(rule: ZodType<Value>): Read<Value> =>
  (_name, given) => {
    const read = rule.safeParse(given)
    if (!read.success) throw new UsageError(read.error.issues[0]?.message)
    return read.data
  }

/** A text of so many characters that is not empty. */
export const atMost =
  (maxChars: number): Read<string> =>
  (name, given) => {
    if (given.trim() === '') throw new UsageError(`--${name} is empty; enter none to clear it`)
    if (given.length > maxChars) throw new UsageError(`--${name} must have at most ${maxChars} characters`)
    return given
  }

/** The same without white space around it. */
export const trimmed =
  (maxChars: number): Read<string> =>
  (name, given) =>
    atMost(maxChars)(name, given).trim()

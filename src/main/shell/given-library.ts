import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The library given to this start by its arguments, otherwise by its environment; null if none. */
export function givenLibrary(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const { values } = parseArgs({ args: [...args], options: { library: { type: 'string' } }, strict: false })
  const given = typeof values.library === 'string' ? values.library : environment.GALLEY_LIBRARY
  return given ? resolve(given) : null
}

/** The same arguments without those about the library. */
export const withoutLibrary = (args: readonly string[]): readonly string[] =>
  args.filter((argument, at) => !/^--library(=|$)/.test(argument) && args[at - 1] !== '--library')

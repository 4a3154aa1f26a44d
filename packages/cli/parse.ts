import { parseArgs } from 'node:util'
import { counted } from '@galley/platform'

import type { Command } from './command.ts'
import { galleyProgram, shortUsageOf } from './help.ts'
import type { Given, Options } from './option.ts'
import { UsageError, dashed } from './option.ts'

interface Parsed {
  readonly given: Given
  readonly positionals: readonly string[]
}

/** What follows the name of a command, by its table. Throws UsageError. */
export function parsedArguments(command: Command, args: readonly string[], program = galleyProgram): Parsed {
  const { name } = command
  const wrong = (message: string): UsageError =>
    new UsageError(
      `${message}\nusage: ${program.name} ${name} ${shortUsageOf(command)}\n${program.name} help ${name} explains it`,
    )
  const options = { ...command.options, ...program.options }
  const { given, positionals } = givenIn(options, args, wrong)
  // Empty values come from variables that are not set; `none` clears a setting. An empty host would mean every
  // address.
  const [empty] = Object.entries(given).find(([, values]) => values.includes('')) ?? []
  if (empty !== undefined) throw wrong(`--${dashed(empty)} is empty`)
  if (given.help !== undefined) return { given, positionals }
  const names = Object.keys(command.positionals)
  const missing = names.filter((each) => !each.startsWith('[')).slice(positionals.length)
  if (missing.length > 0) throw wrong(`the command ${name} needs ${missing.join(' and ')}`)
  // Without the value: it may be a password.
  const more = positionals.length - names.length
  if (more > 0) throw wrong(`the command ${name} was given ${counted(more, 'value')} too many`)
  for (const [each, { isNeeded, says }] of Object.entries(options))
    if (isNeeded && given[each] === undefined) throw wrong(`the command ${name} needs --${dashed(each)}: ${says}`)
  return { given, positionals }
}

/** What was given of these options, by their names in the table. */
function givenIn(options: Options, args: readonly string[], wrong: (message: string) => UsageError): Parsed {
  const config = Object.entries(options).map(([name, { value, isRepeatable }]) => [
    dashed(name),
    { type: value === null ? 'boolean' : 'string', multiple: isRepeatable === true } as const,
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(config) as Record<string, { type: 'boolean' | 'string'; multiple: boolean }>,
      allowPositionals: true,
    })
    const given = Object.keys(options).flatMap((name) => {
      const value = values[dashed(name)]
      return value === undefined ? [] : [[name, [value].flat().map(String)] as const]
    })
    return { given: Object.fromEntries(given), positionals }
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

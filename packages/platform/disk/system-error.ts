import { constants } from 'node:os'
import { errorCode } from '@galley/wire'

/** Whether an error comes from the operating system. Any other error is a bug. */
export const isSystemError = (error: unknown): error is Error & { readonly code: string; readonly path?: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, number]): [number, string] => [number, name]),
)

/**
 * The same as `errorCode`, also for errors that Node has no name for, such as EDQUOT: it calls them `Unknown system error
 * -122`, `UNKNOWN` or nothing at all. '' if the system does not say what was wrong.
 */
export function systemCode(error: unknown): string {
  const code = errorCode(error) ?? ''
  if (!/^(?:|UNKNOWN|Unknown system error.*)$/.test(code)) return code
  const number = error instanceof Error && 'errno' in error ? Number(error.errno) : Number.NaN
  return names.get(Math.abs(number)) ?? ''
}

/** The same for words about an error: `unknown error` if the system does not say what was wrong. */
export const shownCode = (error: unknown): string => systemCode(error) || 'unknown error'

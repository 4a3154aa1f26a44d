import { fail } from '@galley/wire'

/** A file that a person chose could not be read or written. Contains the error code, but no path. */
export const fileFailed = ({ code }: { readonly code: string }) =>
  fail({
    code: 'file_failed',
    facts: { reason: code },
  } as const)

import { fail } from '@galley/wire'

/** A file that a person chose could not be read or written. Contains the error code, but no path. */
export const fileFailed = ({ code }: { readonly code: string }) =>
  fail({
    code: 'chosen_file_failed',
    reason: code,
  } as const)

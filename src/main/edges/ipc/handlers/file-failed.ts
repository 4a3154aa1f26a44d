import { fail } from '../../../../contract/result.ts'

/** A file that a person chose could not be read or written; the name of the fault, and no path. */
export const fileFailed = ({ code }: { readonly code: string }) =>
  fail({
    code: 'file_failed',
    facts: { reason: code },
  } as const)

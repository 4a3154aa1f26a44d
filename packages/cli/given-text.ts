import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'

import { UsageError } from './option.ts'

/** Text that the user gives. Bytes of another encoding would become other characters, in a secret too. */
export function givenText(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new UsageError(`${what} is not UTF-8 text`)
  return bytes.toString('utf8')
}

/** The text of a file that the user names; `what` says which, such as "the metadata file". */
export async function givenFile(file: string, what: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`${what} ${file} cannot be read`)
  })
  return givenText(bytes, `${what} ${file}`)
}

import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'

/** The bytes of a chosen file as base64, by the browser's own encoder; fails when it was moved or deleted meanwhile. */
export function toBase64(file: File, name: string): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => {
      // readAsDataURL gives a string.
      const address = reader.result as string
      resolve(ok(address.slice(address.indexOf(',') + 1)))
    }
    reader.onerror = () => resolve(fail(`${name} cannot be read any more. Remove it from the page and add it again.`))
    reader.readAsDataURL(file)
  })
}

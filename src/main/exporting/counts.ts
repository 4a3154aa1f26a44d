/** What an export found and did, in files, the manifest among them; `bytes` is the size of all files of the bundle. */
export interface Counts {
  readonly files: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly bytes: number
}

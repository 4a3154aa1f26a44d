import type { ListedObject } from './requests.ts'

/** Whether an object can have the bytes of a file, by its size. That of a pack is not known, only its limits. */
export const mayHold = ({ sizeBytes }: ListedObject, leastBytes: number, mostBytes: number): boolean =>
  sizeBytes >= leastBytes && sizeBytes <= mostBytes

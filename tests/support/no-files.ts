import type { BundleSource } from '../../packages/sites/exporting/source.ts'

/** A library without files, for themes in folders. */
export const noFiles: Pick<BundleSource, 'openBlob'> = {
  openBlob() {
    throw new Error('There are no files')
  },
}

import type { Site } from '../../contract/site.ts'
import type { Vault } from '../vault/vault.ts'
import { folderPublisher } from './folder.ts'
import type { Publisher } from './publisher.ts'
import { listenerPublisher } from './publisher.ts'
import { s3Publisher } from './s3.ts'

/** Gives the publishing target a site is set to; a bucket's keys come from the environment. */
export function createPublishers(environment: Readonly<Record<string, string | undefined>>, vault: Vault) {
  // One for each folder, which it looks through for leftovers once.
  const folders = new Map<string, Publisher>()

  return ({ publish }: Pick<Site, 'publish'>): Publisher => {
    switch (publish.kind) {
      case 'listener':
        return listenerPublisher
      case 'folder': {
        const publisher = folders.get(publish.directory) ?? folderPublisher(publish.directory, vault)
        folders.set(publish.directory, publisher)
        return publisher
      }
      case 's3':
        return s3Publisher(publish, environment, vault)
    }
  }
}

import type { Site } from '../../contract/site.ts'
import type { Vault } from '../vault/vault.ts'
import { folderPublisher } from './folder.ts'
import type { Publisher } from './publisher.ts'
import { listenerPublisher } from './publisher.ts'
import { s3Publisher } from './s3.ts'

/** The publishing target a site is set to; a bucket's keys come from the environment. */
export function publisherFor(
  { publish }: Site,
  environment: Readonly<Record<string, string | undefined>>,
  vault: Vault,
): Publisher {
  switch (publish.kind) {
    case 'listener':
      return listenerPublisher
    case 'folder':
      return folderPublisher(publish.directory, vault)
    case 's3':
      return s3Publisher(publish, environment, vault)
  }
}

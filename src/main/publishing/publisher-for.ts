import type { Site } from '../../contract/site.ts'
import type { Vault } from '../vault/vault.ts'
import { folderPublisher } from './folder.ts'
import type { Publisher } from './publisher.ts'
import { listenerPublisher } from './publisher.ts'

/** The publishing target a site is set to. */
export const publisherFor = ({ publish }: Site, vault: Vault): Publisher =>
  publish.kind === 'folder' ? folderPublisher(publish.directory, vault) : listenerPublisher

import type { SiteId } from '@galley/wire'

import type { ChosenPath } from '../../../ipc/call.ts'
import type { TargetForm, TargetRow } from '../../../ipc/publishing.ts'
import { textOrNull } from '../../domain/typed-text.ts'

export type CredentialsKind = 'keep' | 'none' | 'keys' | 'password' | 'keyFile'

/** Form input for a target: all fields are text, so that invalid input is kept. */
export interface TargetDraft {
  readonly name: string
  readonly kind: TargetRow['place']['kind']
  /** The chosen folder to show, and its token; null: the stored folder. */
  readonly folder: { readonly path: string; readonly token: string | null } | null
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
  readonly user: string
  readonly host: string
  readonly port: string
  readonly path: string
  readonly publicUrl: string
  readonly schedule: string
  readonly compress: boolean
  readonly isLive: boolean
  readonly credentials: CredentialsKind
  /** Never prefilled. */
  readonly keyId: string
  readonly keySecret: string
  readonly password: string
  readonly keyFile: ChosenPath | null
  readonly passphrase: string
}

const emptyDraft: TargetDraft = {
  name: '',
  kind: 'folder',
  folder: null,
  bucket: '',
  prefix: '',
  endpoint: '',
  region: '',
  user: '',
  host: '',
  port: '22',
  path: '',
  publicUrl: '',
  schedule: '',
  compress: false,
  isLive: false,
  credentials: 'keys',
  keyId: '',
  keySecret: '',
  password: '',
  keyFile: null,
  passphrase: '',
}

/** The form for a target; null: for a new one. */
export function draftOf(target: TargetRow | null): TargetDraft {
  if (target === null) return emptyDraft
  const { name, place, publicUrl, schedule, compress, isLive } = target
  const kept = target.credentials === 'stored' ? 'keep' : place.kind === 'sftp' ? 'none' : 'keys'
  const common: TargetDraft = {
    ...emptyDraft,
    name,
    kind: place.kind,
    compress,
    isLive,
    credentials: kept,
    publicUrl: publicUrl ?? '',
    schedule: schedule ?? '',
  }
  switch (place.kind) {
    case 'folder':
      return { ...common, folder: { path: place.directory, token: null } }
    case 's3':
      return {
        ...common,
        bucket: place.bucket,
        prefix: place.prefix,
        endpoint: place.endpoint ?? '',
        region: place.region ?? '',
      }
    case 'sftp':
      return { ...common, user: place.user, host: place.host, port: String(place.port), path: place.path }
  }
}

/** The ways to enter credentials for a kind of target; `isStored`: the keychain has some. */
export function credentialsOf(kind: TargetDraft['kind'], isStored: boolean): readonly CredentialsKind[] {
  const kept = isStored ? (['keep'] as const) : []
  if (kind === 's3') return [...kept, 'keys', 'none']
  return kind === 'sftp' ? [...kept, 'none', 'password', 'keyFile'] : []
}

function placeOf(draft: TargetDraft): TargetForm['place'] {
  switch (draft.kind) {
    case 'folder':
      return { kind: 'folder', chosen: draft.folder?.token ?? null }
    case 's3':
      return {
        kind: 's3',
        bucket: draft.bucket.trim(),
        prefix: draft.prefix.trim().replace(/^\/+|\/+$/g, ''),
        endpoint: textOrNull(draft.endpoint),
        region: textOrNull(draft.region),
      }
    case 'sftp':
      return {
        kind: 'sftp',
        user: draft.user.trim(),
        host: draft.host.trim(),
        port: Number(draft.port),
        path: draft.path.trim().replace(/(.)\/+$/, '$1'),
      }
  }
}

/** The credentials to send. A missing part is sent empty, and main reports it at its field. */
function keyOf({
  credentials,
  keyId,
  keySecret,
  password,
  keyFile,
  passphrase,
}: TargetDraft): TargetForm['credentials'] {
  switch (credentials) {
    case 'keep':
    case 'none':
      return null
    case 'keys':
      return { kind: 'keys', id: keyId.trim(), secret: keySecret === '' ? ' ' : keySecret }
    case 'password':
      return { kind: 'password', password: password === '' ? '\n' : password }
    case 'keyFile':
      return { kind: 'keyFile', chosen: keyFile?.token ?? '', passphrase: passphrase === '' ? null : passphrase }
  }
}

/** The input to send: trimmed, except for secrets. */
export const formOf = (site: SiteId, draft: TargetDraft, isNew: boolean): TargetForm => ({
  site,
  name: draft.name.trim(),
  isNew,
  place: placeOf(draft),
  compress: draft.compress,
  isLive: draft.isLive,
  publicUrl: textOrNull(draft.publicUrl),
  schedule: textOrNull(draft.schedule),
  credentials: draft.kind === 'folder' ? null : keyOf(draft),
})

import type { Cause } from '../cause.ts'
import { causeSentence } from '../cause.ts'
import type { VersionId } from '../ids.ts'
import { assertNever } from '../result.ts'

/** Why a keychain returned no secret. `missing`: none was ever stored for this site. */
export type SecretsState = 'missing' | 'locked' | 'unavailable' | 'changed'

/** The same for everything that a request needs: the secret of a site, and its callback credentials. */
export type CredentialsState = SecretsState | 'credentials_missing'

/** The rule that blocked a save. */
export type RefusalRule = 'paused_everywhere' | 'paused' | 'unknown_material' | 'material' | 'editor' | 'expired_token'

/**
 * Every way a callback can end without being stored, named by the `code` of its response. Contains facts only;
 * `describeFailure` has the words, `answer.ts` the HTTP status.
 */
export type CallbackFailure =
  // Before the sender is verified
  | { readonly kind: 'forbidden_host' }
  | { readonly kind: 'forbidden_origin' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'method_not_allowed' }
  | { readonly kind: 'unsupported_type' }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  | { readonly kind: 'timeout' }
  /**
   * `opening`: the library is not open yet. `closing`: the listener is stopping. `readers`: too many requests for public
   * files.
   */
  | { readonly kind: 'busy'; readonly state?: 'opening' | 'closing' | 'readers' }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'invalid_request'; readonly problem: Cause }
  | { readonly kind: 'secrets_unavailable'; readonly state: CredentialsState }
  /** `signedIn`: another header than the site's that holds the right signature. The answer does not tell. */
  | { readonly kind: 'invalid_signature'; readonly header: 'missing' | 'wrong'; readonly signedIn?: string }
  // Signature verified, before the download
  | { readonly kind: 'unknown_event' }
  | { readonly kind: 'foreign_content_url' }
  /** The site's download origins and publishing target are not confirmed on this computer. */
  | { readonly kind: 'site_unconfirmed' }
  /** `reason`: what the administrator wrote for the editor; may be empty. */
  | { readonly kind: 'refused'; readonly rule: RefusalRule; readonly reason: string }
  // The archive
  /** `status`: the HTTP status of the service's response, if it caused the failure. */
  | { readonly kind: 'download_failed'; readonly reason: Cause; readonly status?: number }
  | { readonly kind: 'content_too_large'; readonly what: Cause; readonly limit: number }
  | { readonly kind: 'invalid_archive'; readonly problem: Cause }
  | { readonly kind: 'missing_asset'; readonly names: readonly string[] }
  | { readonly kind: 'domain_not_allowed'; readonly hosts: readonly string[] }
  | { readonly kind: 'version_conflict'; readonly versionId: VersionId }
  // Galley's own failures
  | { readonly kind: 'storage_failed'; readonly reason: Cause }
  | { readonly kind: 'archive_not_kept' }

/** The code of a failure in responses and in the callback log. */
export type FailureCode = CallbackFailure['kind']

const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`

const secretsWords: Record<CredentialsState, string> = {
  missing: 'No secret is stored for this site. Nothing was saved. Add the secret in Galley, then save again.',
  locked: 'The keychain is locked. Nothing was saved. Unlock it on the machine that runs Galley, then save again.',
  unavailable: 'There is no keychain to read the secret from. Nothing was saved. Start one, then save again.',
  changed:
    'The keychain no longer has the secret that Galley stored. Nothing was saved. Enter the secret again in Galley.',
  credentials_missing:
    'Galley has no callback credentials for this site. Nothing was saved. Set them where Galley runs, then save again.',
}

const refusalWords: Record<RefusalRule, string> = {
  paused_everywhere: 'Saves are paused',
  paused: 'Saves are paused',
  unknown_material:
    'Galley does not know this material: it was never opened there, or it was deleted. Nothing was saved. Open it from Galley, then save again.',
  material: 'Saves of this material are paused',
  editor: 'Saves of this editor are blocked',
  expired_token: 'The permission to edit this material has expired. Nothing was saved. Open it again, then save again.',
}

function refusalSentence({ rule, reason }: Extract<CallbackFailure, { kind: 'refused' }>): string {
  const what = refusalWords[rule]
  if (rule === 'unknown_material' || rule === 'expired_token') return what
  return reason === '' ? `${what}. Nothing was saved.` : `${what}: ${reason}. Nothing was saved.`.replace('..', '.')
}

/**
 * The English text of each failure: what happened, what it means for the data, what to do next. Never contains a secret, a
 * signature, an api_key or a local path.
 */
export function describeFailure(failure: CallbackFailure): string {
  switch (failure.kind) {
    case 'forbidden_host':
      return 'The request named a host that Galley does not serve. Nothing was saved. Use the callback URL of the site.'
    case 'forbidden_origin':
      return 'Only the service may send callbacks, not web pages. Nothing was saved.'
    case 'not_found':
      return 'There is nothing at this address. Nothing was saved. Check the callback URL of the site.'
    case 'method_not_allowed':
      return 'This address does not accept this HTTP method. Nothing was saved.'
    case 'unsupported_type':
      return 'The body must be application/json without a content encoding. Nothing was saved.'
    case 'too_large':
      return `The body is larger than ${inMegabytes(failure.limitBytes)}. Nothing was saved.`
    case 'timeout':
      return 'The request took too long to arrive. Nothing was saved. Send it again.'
    case 'busy':
      if (failure.state === 'opening')
        return 'Galley is opening its library. Nothing was saved. Save again in a minute.'
      if (failure.state === 'closing') return 'Galley is closing. Nothing was saved. Save again when it runs.'
      if (failure.state === 'readers') return 'Too many files are being read right now. Try again in a few seconds.'
      return 'Too many saves are waiting. Nothing was saved. Save again in a few seconds.'
    case 'unauthorized':
      return 'The Authorization header is missing or wrong. Nothing was saved. Open the material from Galley again, so that the service gets the credentials.'
    case 'invalid_request':
      return `The callback cannot be read: ${causeSentence(failure.problem)}. Nothing was saved.`
    case 'secrets_unavailable':
      return secretsWords[failure.state]
    case 'invalid_signature':
      return failure.header === 'missing'
        ? 'The callback has no signature. Nothing was saved.'
        : 'The signature does not match. Nothing was saved. Check that the site and the service use the same secret.'
    case 'unknown_event':
      return 'The event of this callback is unknown or contradicts its download address. Nothing was saved.'
    case 'foreign_content_url':
      return 'The download address does not belong to the service of this site. Nothing was downloaded or saved.'
    case 'site_unconfirmed':
      return 'The addresses of this site are not confirmed in Galley yet. Nothing was downloaded or saved. Confirm the site in Galley, then save again.'
    case 'refused':
      return refusalSentence(failure)
    case 'download_failed':
      return `The archive could not be downloaded: ${causeSentence(failure.reason)}. Nothing was saved. Save again in the editor.`
    case 'content_too_large':
      return `The archive is too large: ${causeSentence(failure.what)} is more than ${failure.limit >= 1e6 ? inMegabytes(failure.limit) : failure.limit}. Nothing was saved.`
    case 'invalid_archive':
      return `The archive cannot be used: ${causeSentence(failure.problem)}. Nothing was saved; the previous version is still current.`
    case 'missing_asset':
      return `The archive is missing files that the page needs: ${listed(failure.names)}. Nothing was saved; the previous version is still current.`
    case 'domain_not_allowed':
      return `These hosts are not allowed for this site: ${listed(failure.hosts)}. Nothing was saved. Allow them in the site's settings or correct its public address.`
    case 'version_conflict':
      return `Version ${failure.versionId} is already stored with different content. Nothing was saved.`
    case 'storage_failed':
      if (failure.reason.code === 'entry_unknown')
        return 'Galley could not confirm that the save is stored, because the team’s bucket did not respond. Save again; a save is stored only once.'
      if (failure.reason.code === 'file_altered')
        return 'Galley has this save, but its files were altered on the disk, so the response cannot be sent. Run galley fsck --repair, then save again.'
      if (failure.reason.code === 'sync_failed')
        return `Galley stores no saves now: ${causeSentence(failure.reason)}, and save again. A save is stored only once.`
      return `Galley could not store the save: ${causeSentence(failure.reason)}. Nothing was saved. Fix the problem, then save again.`
    case 'archive_not_kept':
      return 'The archive of this callback was not stored, and a replay downloads nothing. Save again in the editor.'
    default:
      return assertNever(failure)
  }
}

type Fact = string | number | Cause

/** The facts of a failure for the callback log. Lists are truncated to three items and joined. */
export const failureFacts = ({ kind: _kind, ...facts }: CallbackFailure): Readonly<Record<string, Fact>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]: [string, Fact | readonly string[]]) => [
      name,
      isList(value) ? listed(value) : value,
    ]),
  )

const isList = (value: Fact | readonly string[]): value is readonly string[] => Array.isArray(value)

const inMegabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`

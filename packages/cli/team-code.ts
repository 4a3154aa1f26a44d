import type { CauseCode } from '@galley/wire'

/** The code of a fault that only the library of a team has (docs/api.md, section 5); null for any other fault. */
export function teamCode(code: CauseCode): string | null {
  if (code === 'bucket_unsuitable' || code === 'team_unsupported' || code === 'log_folded') return code
  if (code === 'log_newer') return 'newer_library'
  if (code === 'log_unlinked' || code === 'log_lost') return 'log_mismatch'
  if (code === 'log_foreign' || code === 'log_damaged') return 'library_damaged'
  if (code.startsWith('team_keys_')) return 'secrets_unavailable'
  return code === 'entry_unknown' || code.startsWith('bucket_') || code.startsWith('team_') ? 'storage_failed' : null
}

import type { LostFile } from '../session/session.ts'
import { Banner } from './banner.tsx'

/** Names the files that did not come back when the session was rebuilt from the site. */
export function LostFiles({ lost, onDismiss }: { readonly lost: readonly LostFile[]; readonly onDismiss: () => void }) {
  return (
    <Banner label="Files that could not be brought back" tone="bad" onDismiss={onDismiss}>
      <p>
        This page was opened anew from what the site has, and {lost.length === 1 ? 'one file' : `${lost.length} files`}{' '}
        could not be had. Add {lost.length === 1 ? 'it' : 'them'} again where the page says so, or ask whoever runs the
        site.
      </p>
      <ul>
        {lost.map(({ name, url, reason }) => (
          <li key={name}>
            <strong>{name}</strong> ({url}): {reason}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

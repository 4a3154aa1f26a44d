import type { VersionDetail } from '../../../contract/ipc.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, exactTime, fileSize } from '../../ui/format.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { View } from '../../ui/view.ts'
import styles from './versions-pane.module.css'

const words = texts.versions

interface Props {
  readonly detail: View<VersionDetail>
  readonly retry: () => void
}

/** What one version holds: summary, media, page and metadata, as read-only text. */
export function VersionDetailTabs({ detail, retry }: Props) {
  if (detail.kind === 'loading') return <Skeleton label={texts.loading} rows={4} />
  if (detail.kind === 'failed') {
    return (
      <Message isFailure text={detail.reason}>
        <Button onClick={retry}>{texts.retry}</Button>
      </Message>
    )
  }
  const { items } = detail
  return (
    <Tabs
      label={words.tabsLabel}
      tabs={[
        { key: 'summary', title: words.tabs.summary, panel: () => <Summary {...items} /> },
        { key: 'media', title: words.tabs.media, panel: () => <Media {...items} /> },
        { key: 'html', title: words.tabs.html, panel: () => <Source label={words.htmlLabel} text={items.html} /> },
        {
          key: 'metadata',
          title: words.tabs.metadata,
          panel: () => <Source label={words.metadataLabel} text={items.metadata} />,
        },
      ]}
    />
  )
}

function Summary({ version }: VersionDetail) {
  const { facts } = words
  return (
    <div className={styles.summary}>
      {version.warnings.length > 0 && (
        <section className={styles.warnings}>
          <h3>{words.warningsTitle}</h3>
          <ul>
            {version.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      <Facts
        facts={[
          { name: facts.version, value: version.versionId, isCode: true },
          { name: facts.received, value: exactTime(version.receivedAt, texts.locale) },
          {
            name: facts.dated,
            value: version.versionCdate === null ? words.unknownDate : exactTime(version.versionCdate, texts.locale),
          },
          { name: facts.who, value: version.userEmail ?? words.unknownWho },
          { name: facts.size, value: fileSize(version.sizeBytes, texts.locale) },
          { name: facts.media, value: count(version.mediaCount, texts.locale) },
          { name: facts.html, value: version.htmlSha256, isCode: true },
          { name: facts.archive, value: version.archiveSha256, isCode: true },
        ]}
      />
    </div>
  )
}

function Media({ media }: VersionDetail) {
  if (media.length === 0) return <Message text={words.noMedia} />
  return (
    <table className={styles.media}>
      <thead>
        <tr>
          <th scope="col">{words.mediaColumns.name}</th>
          <th scope="col">{words.mediaColumns.size}</th>
        </tr>
      </thead>
      <tbody>
        {media.map((file) => (
          <tr key={file.name}>
            <td>
              {file.name}
              <span className={styles.url}>{file.url}</span>
            </td>
            <td>{fileSize(file.sizeBytes, texts.locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import type { SnapshotSummary } from '../../../contract/snapshot.ts'
import { texts } from '../../texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { exactTime } from '../../ui/format.ts'
import styles from './fonts.module.css'

const words = texts.fonts

/** One font set: when it came, where its CSS is served, which files it holds. */
export function SnapshotDetail({ snapshot }: { readonly snapshot: SnapshotSummary }) {
  return (
    <div className={styles.detail}>
      <Facts
        facts={[
          { name: words.facts.snapshot, value: snapshot.snapshotId, isCode: true },
          { name: words.facts.received, value: exactTime(snapshot.receivedAt, texts.locale) },
          { name: words.facts.css, value: snapshot.cssUrl, isCode: true },
          { name: words.facts.archive, value: snapshot.archiveSha256, isCode: true },
        ]}
      />
      <section>
        <h3 className={styles.heading}>{words.files(snapshot.files.length)}</h3>
        <ul aria-label={words.filesLabel} className={styles.files}>
          {snapshot.files.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}

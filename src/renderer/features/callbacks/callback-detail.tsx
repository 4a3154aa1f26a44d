import type { CallbackRecord } from '../../../contract/callback-record.ts'
import { texts } from '../../texts.ts'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { duration, exactTime } from '../../ui/format.ts'
import { OutcomeStatus } from './outcome.tsx'
import { totalMs, waterfall } from './waterfall.ts'
import styles from './callback-detail.module.css'

const words = texts.callbacks

/** One callback: how it ended and what to do, each step with its time, what was answered, what was asked. */
export function CallbackDetail({ record }: { readonly record: CallbackRecord }) {
  return (
    <div className={styles.detail}>
      <section className={`${styles.verdict} ${styles[record.rc === 1 ? 'good' : 'bad']}`} aria-label={words.whatToDo}>
        <OutcomeStatus outcome={record.outcome} />
        <p className={styles.reason}>{record.rm}</p>
      </section>
      <section>
        <h3 className={styles.heading}>
          {words.steps}
          {record.steps.length > 0 && (
            <span className={styles.total}>{words.total(duration(totalMs(record.steps), texts.locale))}</span>
          )}
        </h3>
        {record.steps.length === 0 ? <p className={styles.none}>{words.noSteps}</p> : <Steps record={record} />}
      </section>
      <section>
        <h3 className={styles.heading}>{words.answer}</h3>
        <Facts facts={answerFacts(record)} />
      </section>
      <section>
        <h3 className={styles.heading}>{words.request}</h3>
        <Facts facts={requestFacts(record)} />
      </section>
    </div>
  )
}

function Steps({ record }: { readonly record: CallbackRecord }) {
  return (
    <ol className={styles.steps}>
      {waterfall(record.steps).map((bar) => (
        <li key={bar.name} className={styles.step}>
          <span className={styles.name}>{bar.name}</span>
          <span className={styles.track} aria-hidden>
            <span
              className={bar.isSlowest ? styles.slowest : styles.bar}
              style={{ insetInlineStart: `${bar.startPercent}%`, width: `${bar.widthPercent}%` }}
            />
          </span>
          <span className={styles.ms}>{duration(bar.ms, texts.locale)}</span>
        </li>
      ))}
    </ol>
  )
}

const answerFacts = ({ httpStatus, rc, code, versionId, duplicateOf, kind }: CallbackRecord): readonly Fact[] => [
  { name: words.facts.status, value: httpStatus, isCode: true },
  { name: words.facts.rc, value: rc, isCode: true },
  ...(code === null ? [] : [{ name: words.facts.code, value: code, isCode: true }]),
  ...(versionId === null
    ? []
    : [
        {
          name: kind === 'site_fonts_updated' ? words.facts.snapshot : words.facts.version,
          value: versionId,
          isCode: true,
        },
      ]),
  ...(duplicateOf === null ? [] : [{ name: words.facts.duplicateOf, value: duplicateOf, isCode: true }]),
]

const requestFacts = (record: CallbackRecord): readonly Fact[] => [
  { name: words.facts.received, value: exactTime(record.receivedAt, texts.locale) },
  { name: words.facts.event, value: words.events[record.kind] },
  ...(record.materialId === null ? [] : [{ name: words.facts.material, value: record.materialId, isCode: true }]),
  { name: words.facts.signature, value: words.signatures[record.signature] },
  ...(record.contentUrl === null ? [] : [{ name: words.facts.url, value: record.contentUrl, isCode: true }]),
  { name: words.facts.id, value: record.id, isCode: true },
]

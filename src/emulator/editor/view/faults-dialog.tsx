import { useEffect, useState } from 'react'

import type { FaultKind } from '../../faults/fault.ts'
import { isFaultKind } from '../../faults/fault.ts'
import type { SessionApi } from '../session/api.ts'
import type { Fault } from '../session/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './faults-dialog.module.css'
import { SelectField, TextField } from './field.tsx'

/** The faults that can be ordered, with their labels. */
const labels: Readonly<Record<FaultKind, string>> = {
  delay: 'The save reaches the site late',
  drop: 'The save never reaches the site',
  drop_answer: 'The site’s answer is lost',
  duplicate: 'The save is delivered twice',
  wrong_signature: 'The save carries a wrong signature',
  out_of_order: 'The save arrives after the next one',
  truncated_download: 'The site’s download breaks off',
  slow_download: 'The site’s download is slow',
  error_500: 'The site’s download is answered with an error',
}

const kinds = (Object.keys(labels) as FaultKind[]).map((value) => ({ value, label: labels[value] }))

const timed: ReadonlySet<string> = new Set<FaultKind>(['delay', 'out_of_order', 'slow_download'])

/** Orders faults for the next saves, to see how editor and site react. */
export function FaultsDialog({ api, onClose }: { readonly api: SessionApi; readonly onClose: () => void }) {
  const [pending, setPending] = useState<readonly Fault[]>([])
  const [kind, setKind] = useState<FaultKind>('delay')
  const [times, setTimes] = useState('1')
  const [ms, setMs] = useState('2000')
  const [problem, setProblem] = useState<string | null>(null)
  const takesMs = timed.has(kind)

  useEffect(() => {
    async function list(): Promise<void> {
      const answer = await api.faults()
      if (answer.ok) setPending(answer.value)
      else setProblem(answer.failure)
    }
    void list()
  }, [api])

  async function order(answering: ReturnType<SessionApi['faults']>): Promise<void> {
    const answer = await answering
    setProblem(answer.ok ? null : answer.failure)
    if (answer.ok) setPending(answer.value)
  }

  return (
    <Dialog title="Answers of the service" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void order(api.addFault({ kind, times: Number(times), ms: takesMs ? Number(ms) : null }))
        }}
      >
        <p>
          For training: this emulator misbehaves on order, so that you see what the site and this page make of it.
          Nothing is lost by it.
        </p>
        <SelectField label="What goes wrong" value={kind} options={kinds} onChoose={setKind} />
        <div className={styles.numbers}>
          <TextField label="How often" value={times} onInput={setTimes} />
          {takesMs && <TextField label="Milliseconds" value={ms} onInput={setMs} />}
        </div>
        {problem !== null && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button type="submit" look="primary">
            Order it
          </Button>
          {pending.length > 0 && <Button onClick={() => void order(api.clearFaults())}>Clear all</Button>}
        </div>
        {pending.length > 0 && (
          <ul aria-label="Ordered">
            {pending.map((fault) => (
              <li key={`${fault.kind}-${fault.ms ?? ''}`}>
                {isFaultKind(fault.kind) ? labels[fault.kind] : fault.kind},{' '}
                {fault.times === 1 ? 'once' : `${fault.times} times`}
                {fault.ms !== null && `, ${fault.ms} ms`}
              </li>
            ))}
          </ul>
        )}
      </form>
    </Dialog>
  )
}

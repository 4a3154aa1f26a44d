import { keysIn } from '@galley/wire'
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
  delay: 'The callback arrives late',
  drop: 'The callback never arrives',
  drop_answer: 'The site’s response is lost',
  duplicate: 'The callback is delivered twice',
  wrong_signature: 'The callback has a wrong signature',
  out_of_order: 'The callback arrives after the next one',
  truncated_download: 'The download is cut off',
  slow_download: 'The download is slow',
  error_500: 'The download returns an error',
}

const kinds = keysIn(labels).map((value) => ({ value, label: labels[value] }))

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
    <Dialog title="Simulate faults" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void order(api.addFault({ kind, times: Number(times), ms: takesMs ? Number(ms) : null }))
        }}
      >
        <p>Simulate faults of the service to see how the site and this editor handle them. Nothing is lost.</p>
        <SelectField label="Fault" value={kind} options={kinds} onChoose={setKind} />
        <div className={styles.numbers}>
          <TextField label="Times" value={times} onInput={setTimes} />
          {takesMs && <TextField label="Milliseconds" value={ms} onInput={setMs} />}
        </div>
        {problem !== null && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button type="submit" look="primary">
            Schedule
          </Button>
          {pending.length > 0 && <Button onClick={() => void order(api.clearFaults())}>Clear all</Button>}
        </div>
        {pending.length > 0 && (
          <ul aria-label="Scheduled faults">
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

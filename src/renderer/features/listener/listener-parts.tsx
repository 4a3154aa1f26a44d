import type { ListenerState } from '../../../contract/listener-state.ts'
import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import type { createListener } from './store.ts'
import styles from './listener-parts.module.css'

const words = texts.listener

const tones: Readonly<Record<ListenerState['kind'], Tone>> = {
  starting: 'busy',
  listening: 'success',
  elsewhere: 'success',
  failed: 'danger',
  stopped: 'neutral',
}

interface Props {
  readonly useListener: ReturnType<typeof createListener>
}

/** The listener's state in the top bar: dot, word, and where it answers. */
export function ListenerPill({ useListener }: Props) {
  const state = useListener(({ state }) => state)
  const address = state === null ? null : addressOf(state)
  return (
    <div role="status" aria-label={words.label} className={styles.pill} title={hintOf(state)}>
      <Status
        tone={state === null ? 'neutral' : tones[state.kind]}
        word={state === null ? words.unknown : words[state.kind]}
      />
      {address !== null && <span className={styles.address}>{address}</span>}
    </div>
  )
}

/** When nothing listens: why, what that means for saves, and the way to try again. */
export function ListenerBanner({ useListener }: Props) {
  const { state, start } = useListener()
  if (state?.kind !== 'failed' && state?.kind !== 'stopped') return null
  const isFailed = state.kind === 'failed'
  return (
    <Banner
      tone={isFailed ? 'danger' : 'warning'}
      text={isFailed ? words.failedBanner(state.reason) : words.stoppedBanner}
    >
      <Button onClick={() => void start()}>{isFailed ? texts.retry : words.start}</Button>
    </Banner>
  )
}

function addressOf(state: ListenerState): string | null {
  if (state.kind === 'listening') return state.url
  if (state.kind === 'elsewhere') {
    const process = words.process(state.processId)
    return state.url === null ? process : `${process} · ${state.url}`
  }
  return null
}

const hintOf = (state: ListenerState | null): string | undefined =>
  state?.kind === 'elsewhere' ? words.elsewhereHint(state.processId) : undefined

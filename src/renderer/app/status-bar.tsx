import { useEffect, useState } from 'react'

import type { Bridge } from '../../contract/ipc.ts'
import { texts } from '../texts.ts'
import type { Stores } from './stores.ts'
import styles from './shell.module.css'

interface Props {
  readonly bridge: Bridge
  readonly useCallbacks: Stores['useCallbacks']
}

/** Where the library is, and the last arrival, which is also said politely to screen readers. */
export function StatusBar({ bridge, useCallbacks }: Props) {
  const arrival = useCallbacks((state) => state.arrival)
  const [folder, setFolder] = useState('')
  useEffect(() => {
    // Without an answer the bar just stays empty: the folder is a convenience here.
    void bridge.call('libraryFolder', undefined).then(setFolder, () => setFolder(''))
  }, [bridge])
  return (
    <footer className={styles.status}>
      <span title={folder}>{folder === '' ? '' : `${texts.library}: ${folder}`}</span>
      <span role="status" aria-live="polite">
        {arrival}
      </span>
    </footer>
  )
}

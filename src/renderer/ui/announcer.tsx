import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../context/provided.ts'
import words from './words.module.css'

export interface Announcements {
  readonly polite: string
  readonly urgent: string
  /** Says something to screen readers without moving the focus; `urgent` interrupts. */
  announce(text: string, manner?: 'polite' | 'urgent'): void
}

/** Said twice in a row, the same text would be no change and stay unsaid; a zero-width mark tells them apart. */
const again = '\u200B'

export const createAnnouncements = (): StoreApi<Announcements> =>
  createStore<Announcements>()((set, get) => ({
    polite: '',
    urgent: '',
    announce: (text, manner = 'polite') => set({ [manner]: get()[manner] === text ? text + again : text }),
  }))

/** What is said to screen readers. */
export const [useAnnouncements, provideAnnouncements] = createStoreContext<Announcements>('announcements')

/** The two live regions of the window; they are always there, since a region that comes with its text is not read. */
export function Announcer() {
  const { polite, urgent } = useAnnouncements()
  return (
    <div className={words.unseen}>
      <div aria-live="polite" aria-atomic data-announcer="polite">
        {polite}
      </div>
      <div aria-live="assertive" aria-atomic data-announcer="urgent">
        {urgent}
      </div>
    </div>
  )
}

import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../context/provided.ts'
import words from './words.module.css'

export interface Announcements {
  readonly polite: string
  readonly urgent: string
  /** Announces text to screen readers without moving the focus; `urgent` interrupts. */
  announce(text: string, manner?: 'polite' | 'urgent'): void
}

/** An unchanged text would not be announced again, so a zero-width space makes repeats differ. */
const repeatMark = '\u200B'

export const createAnnouncements = (): StoreApi<Announcements> =>
  createStore<Announcements>()((set, get) => ({
    polite: '',
    urgent: '',
    announce: (text, manner = 'polite') => set({ [manner]: get()[manner] === text ? text + repeatMark : text }),
  }))

export const [useAnnouncements, provideAnnouncements] = createStoreContext<Announcements>('announcements')

/** The window's two live regions. Always rendered: a region that appears with its text is not announced. */
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

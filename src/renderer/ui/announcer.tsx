import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import words from './words.module.css'

export interface Announcements {
  readonly polite: string
  readonly urgent: string
  /** Says something to screen readers without moving the focus; `urgent` interrupts. */
  announce(text: string, manner?: 'polite' | 'urgent'): void
}

/** Said twice in a row, the same text would be no change and stay unsaid; a zero-width mark tells them apart. */
const again = '\u200B'

export const createAnnouncements = (): UseBoundStore<StoreApi<Announcements>> =>
  create<Announcements>()((set, get) => ({
    polite: '',
    urgent: '',
    announce: (text, manner = 'polite') => set({ [manner]: get()[manner] === text ? text + again : text }),
  }))

/** The two live regions of the window; they are always there, since a region that comes with its text is not read. */
export function Announcer({ useAnnouncements }: { readonly useAnnouncements: ReturnType<typeof createAnnouncements> }) {
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

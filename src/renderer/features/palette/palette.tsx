import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

import { useKept } from '../../ui/kept.ts'
import words from '../../ui/words.module.css'
import { quality, matching } from './match.ts'
import type { PaletteGroup, PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'

/** What a text has found. */
export interface PaletteFound {
  /** By kind; for an empty text the latest objects. */
  readonly groups: readonly PaletteGroup[]
  /** How many stored pages are not searchable yet. */
  readonly unread: number
}

export interface PaletteSources {
  /** Commands and the like, in the order in which they are shown if they fit as well. */
  readonly groups: readonly PaletteGroup[]
  /** Finds objects by text. Returns a stable result for the same text. */
  readonly find: (text: string) => Promise<PaletteFound>
}

interface Props {
  readonly sources: PaletteSources
  readonly onClose: () => void
}

const maxRecent = 6

/** Finds objects and commands; shows recent ones while empty. */
export function Palette({ sources, onClose }: Props) {
  const { t } = useTranslation('app')
  const [text, setText] = useState('')
  const [recent, setRecent] = useKept('recent', z.array(z.string()), [])
  const found = useFound(sources.find, useDeferredValue(text.trim()))
  const groups = groupsFor(text, sources.groups, found.groups, recent, t('palette.recent'))
  // If this leaves with its screen, the list of the new screen gets the focus.
  const [openedFrom] = useState(() => document.activeElement)
  const total = groups.reduce((sum, group) => sum + group.items.length, 0)

  const choose = (item: PaletteItem): void => {
    setRecent([item.key, ...recent.filter((key) => key !== item.key)].slice(0, maxRecent))
    onClose()
    item.run()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          aria-label={t('palette.title')}
          finalFocus={() => openedFrom?.isConnected === true}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            mode="none"
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={setText}
            itemToStringValue={(item: PaletteItem) => item.title}
          >
            <div className={styles.field}>
              <Search size={16} aria-hidden />
              <Autocomplete.Input
                aria-label={t('palette.field')}
                placeholder={t('palette.placeholder')}
                spellCheck={false}
                className={styles.input}
              />
            </div>
            <Autocomplete.Status className={words.unseen}>{t('palette.found', { count: total })}</Autocomplete.Status>
            <Autocomplete.Empty className={styles.empty}>
              {total === 0 && t('palette.none', { text: text.trim() })}
            </Autocomplete.Empty>
            <Autocomplete.List className={styles.list} aria-label={t('palette.title')}>
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.title} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.heading}>{group.title}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.key}
                        value={item}
                        className={styles.item}
                        onClick={() => choose(item)}
                      >
                        <Line item={item} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            {found.unread > 0 && <p className={styles.unread}>{t('palette.unread', { count: found.unread })}</p>}
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The groups listed for a text; without one, recent items come first. */
function groupsFor(
  text: string,
  own: readonly PaletteGroup[],
  found: readonly PaletteGroup[],
  recent: readonly string[],
  title: string,
): readonly PaletteGroup[] {
  const isFilled = (group: PaletteGroup): boolean => group.items.length > 0
  if (text.trim() === '') {
    const known = [...own, ...found].flatMap(({ items }) => items)
    const isNew = (item: PaletteItem): boolean => !recent.includes(item.key)
    const [selection, ...others] = own.filter(({ needsText }) => needsText !== true)
    return [
      { title, items: recent.flatMap((key) => known.find((item) => item.key === key) ?? []) },
      ...[...(selection ? [selection] : []), ...found, ...others].map((group) => ({
        ...group,
        items: group.items.filter(isNew),
      })),
    ].filter(isFilled)
  }
  const matched = own
    .map((group) => ({ ...group, ...matching(group.items, text) }))
    .toSorted((one, other) => other.best - one.best)
  // What fits by a word goes first, scattered letters go after objects.
  const isGood = ({ best }: { readonly best: number }): boolean => best >= quality.synonym
  return [...matched.filter(isGood), ...found, ...matched.filter((group) => !isGood(group))].filter(isFilled)
}

function Line({ item: { icon: Icon, title, detail, keys } }: { readonly item: PaletteItem }) {
  return (
    <>
      <span className={styles.icon}>{Icon && <Icon size={14} aria-hidden />}</span>
      <span className={styles.title}>{title}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
    </>
  )
}

const nothing: PaletteFound = { groups: [], unread: 0 }

/** Search results for a text; an outdated answer never replaces a newer one. */
function useFound(find: PaletteSources['find'], text: string): PaletteFound {
  const [found, setFound] = useState<PaletteFound>(nothing)
  useEffect(() => {
    let isCurrent = true
    const show = (answer: PaletteFound): void => {
      if (isCurrent) setFound(answer)
    }
    // A failed search finds nothing; commands are still listed.
    find(text).then(show, () => show(nothing))
    return () => {
      isCurrent = false
    }
  }, [find, text])
  return found
}

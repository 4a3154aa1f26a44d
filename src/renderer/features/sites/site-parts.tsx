import { Settings2 } from 'lucide-react'

import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { selectedSite } from './store.ts'
import type { createSites } from './store.ts'
import styles from './site-parts.module.css'

const words = texts.sites

interface Props {
  readonly useSites: ReturnType<typeof createSites>
}

/** The selected site in the top bar: its name, its environment and the way to its settings. */
export function SiteTitle({ useSites }: Props) {
  const site = useSites(selectedSite)
  const show = useSites((state) => state.show)
  if (site === null) return null
  return (
    <div className={styles.title}>
      <span className={styles.name}>{site.name}</span>
      <span className={styles.environment}>{words.environmentNames[site.environment]}</span>
      <Button look="quiet" icon={Settings2} isIconOnly onClick={() => show({ kind: 'edit', site })}>
        {words.edit}
      </Button>
    </div>
  )
}

/** Says when the secret of the selected site cannot be used, since its saves are refused until then. */
export function SiteNotice({ useSites }: Props) {
  const site = useSites(selectedSite)
  const show = useSites((state) => state.show)
  const load = useSites((state) => state.load)
  if (site === null || site.secret === 'stored') return null
  const isEntered = site.secret === 'missing' || site.secret === 'changed'
  return (
    <Banner tone="warning" text={words.secret[site.secret]}>
      <Button onClick={() => (isEntered ? show({ kind: 'edit', site }) : void load())}>
        {isEntered ? words.enterSecret : texts.retry}
      </Button>
    </Banner>
  )
}

/** What the window shows before there is any site. */
export function NoSites({ useSites }: Props) {
  const show = useSites((state) => state.show)
  return (
    <Message title={words.none.title} text={words.none.text}>
      <Button look="primary" onClick={() => show({ kind: 'add' })}>
        {words.add}
      </Button>
    </Message>
  )
}

/** The dialog of this feature that is open, if any. */
export function SiteDialogs({ useSites }: Props) {
  const { dialog, show, save, remove } = useSites()
  switch (dialog.kind) {
    case 'closed':
      return null
    case 'add':
      return <SiteDialog key="add" site={null} save={save} show={show} />
    case 'edit':
      return <SiteDialog key={dialog.site.id} site={dialog.site} save={save} show={show} />
    case 'remove':
      return <RemoveDialog site={dialog.site} remove={remove} show={show} />
  }
}

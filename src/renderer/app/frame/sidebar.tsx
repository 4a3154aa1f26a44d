import { sections } from '@galley/library/records'
import type { Section } from '@galley/library/records'
import type { TFunction } from 'i18next'
import type { LucideIcon } from 'lucide-react'
import { ClipboardCheck, Files, Globe, Inbox, Settings, Type } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { SectionCounts } from '../../../ipc/materials.ts'
import { useAriaKeys, useShownKeys } from '../../commands/shown-keys.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useNavigation, currentView } from '../../navigation/navigation.ts'
import { sectionOf } from '../../navigation/view.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import words from '../../ui/words.module.css'
import { useCounts } from '../state/counts.ts'
import { useOpenProblems } from '../state/open-problems.ts'
import styles from './sidebar.module.css'

export const sectionIcons: Readonly<Record<Section, LucideIcon>> = {
  review: ClipboardCheck,
  materials: Files,
  publish: Globe,
  fonts: Type,
  delivery: Inbox,
  settings: Settings,
}

interface Props {
  readonly isFolded: boolean
}

/** The sections with their counts; icons only when collapsed. */
export function Sidebar({ isFolded }: Props) {
  const { t } = useTranslation('app')
  const now = sectionOf(useNavigation(currentView))
  return (
    <nav
      aria-label={t('navigation')}
      tabIndex={-1}
      data-pane="sidebar"
      className={isFolded ? styles.folded : styles.side}
    >
      {sections.map((section) => (
        <SectionButton key={section} isFolded={isFolded} section={section} isShown={section === now} />
      ))}
    </nav>
  )
}

function SectionButton({
  isFolded,
  section,
  isShown,
}: Props & { readonly section: Section; readonly isShown: boolean }) {
  const { t } = useTranslation('app')
  const formats = useFormats()
  const goToSection = useNavigation((state) => state.goToSection)
  const keysOf = useShownKeys()
  const ariaKeysOf = useAriaKeys()
  const count = countOf(
    useCounts(({ counts }) => counts),
    section,
  )
  const failed = useCounts(({ counts }) => counts?.failedSaves.unseen ?? 0)
  const failedHere = section === 'delivery' ? failed : 0
  const problems = useOpenProblems((state) => state.problems)
  // Failed saves that nobody has seen yet come first; then they are one of the problems.
  const problemsHere = section === 'delivery' && failedHere === 0 ? problems.count : 0
  const Icon = sectionIcons[section]
  const name = t(`sections.${section}`)
  return (
    <Tooltip
      text={labelOf({ name, problems: problemsHere, failed: failedHere }, t)}
      keys={keysOf(`go.${section}`)}
      side="right"
    >
      <button
        type="button"
        className={styles.section}
        aria-current={isShown ? 'page' : undefined}
        aria-keyshortcuts={ariaKeysOf(`go.${section}`)}
        onClick={() => goToSection(section)}
      >
        <Icon size={16} aria-hidden />
        <span className={isFolded ? words.unseen : styles.name}>{name}</span>
        {failedHere > 0 && (
          <span className={styles.alert}>
            {formats.count(failedHere)}
            <span className={words.unseen}> {t('failedSaves', { count: failedHere })}</span>
          </span>
        )}
        {count !== null && count > 0 && (
          <span className={isFolded ? words.unseen : styles.count}>{formats.count(count)}</span>
        )}
        {problemsHere > 0 && (
          <span className={styles.alert} data-tone={problems.urgency}>
            {formats.count(problemsHere)}
            <span className={words.unseen}> {t('openProblems', { count: problemsHere })}</span>
          </span>
        )}
      </button>
    </Tooltip>
  )
}

function labelOf(
  { name, problems, failed }: { readonly name: string; readonly problems: number; readonly failed: number },
  t: TFunction<'app'>,
): string {
  if (failed > 0) return t('withFailedSaves', { name, count: failed })
  return problems === 0 ? name : t('withOpenProblems', { name, count: problems })
}

/** The number of items in a section; the others have none. */
function countOf(counts: SectionCounts | null, section: Section): number | null {
  switch (section) {
    case 'review':
      return counts?.waiting ?? null
    case 'materials':
      return counts?.materials ?? null
    case 'fonts':
      return counts?.snapshots ?? null
    case 'publish':
    case 'delivery':
    case 'settings':
      return null
  }
}

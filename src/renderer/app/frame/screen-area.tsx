import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useNavigation, currentView } from '../../navigation/navigation.ts'
import type { ScreenName, View } from '../../navigation/view.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { focusPane } from '../../ui/panes.ts'
import { Split } from '../../ui/split.tsx'
import { screens } from '../screens/screens.ts'
import { useLayout } from '../state/layout.ts'
import styles from './screen-area.module.css'

/** The current screen with its dialogs. */
export function ScreenArea() {
  const view = useNavigation(currentView)
  const { Layer } = partsOf(view.screen)
  useFocusInScreen(view.screen)
  return (
    <>
      <ScreenPanes view={view} />
      {Layer !== undefined && <Layer key={view.screen} />}
    </>
  )
}

/** Focuses the list of a new screen if the focused element left with the old screen. */
function useFocusInScreen(screen: ScreenName): void {
  const before = useRef(screen)
  useEffect(() => {
    const isNew = before.current !== screen
    before.current = screen
    if (isNew && document.activeElement === document.body && !focusPane('list')) focusPane('inspector')
  }, [screen])
}

/** The list, and the inspector where it fits or was opened. */
function ScreenPanes({ view }: { readonly view: View }) {
  const { t } = useTranslation('ui')
  const { arrangement, isInspectorShown, setInspector } = useLayout()
  const { List, Inspector: AnyInspector, hasInspector } = partsOf(view.screen)
  const Inspector = hasInspector?.(view) === false ? null : AnyInspector
  const list = (
    <Boundary>
      <List view={view} />
    </Boundary>
  )
  const inspector =
    Inspector === null || !isInspectorShown ? null : (
      <Boundary of={JSON.stringify(view)}>
        <Inspector view={view} />
      </Boundary>
    )
  if (inspector !== null && arrangement === 'single') {
    return (
      <div className={styles.screen}>
        <Back onClick={() => setInspector(false)}>{t('back')}</Back>
        {inspector}
      </div>
    )
  }
  return (
    <div className={styles.screen}>
      <Split
        key={view.screen}
        name={`inspector:${view.screen}`}
        main={list}
        side={arrangement === 'beside' ? inspector : null}
        mainMin={320}
        sideSize={420}
        sideMin={300}
      />
      {inspector !== null && arrangement === 'over' && <div className={styles.over}>{inspector}</div>}
    </div>
  )
}

const Back = ({ onClick, children }: { readonly onClick: () => void; readonly children: string }): ReactNode => (
  <div className={styles.backBar}>
    <Button look="quiet" icon={ArrowLeft} onClick={onClick}>
      {children}
    </Button>
  </div>
)

interface AnyParts {
  readonly List: ComponentType<{ readonly view: View }>
  readonly Inspector: ComponentType<{ readonly view: View }> | null
  readonly hasInspector?: (view: View) => boolean
  readonly Layer?: ComponentType
}

/** The table maps each screen to its own view type; TypeScript cannot follow a computed name. */
const partsOf = (name: ScreenName): AnyParts => screens[name] as unknown as AnyParts

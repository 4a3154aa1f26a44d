import { MoreHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Menu } from './menu.tsx'
import type { MenuItem } from './menu.tsx'

/** What else can be done, behind three dots at the end of a row of buttons. */
export function MoreMenu({ items }: { readonly items: readonly MenuItem[] }) {
  const { t } = useTranslation('ui')
  const trigger = (
    <Button look="quiet" icon={MoreHorizontal} isIconOnly>
      {t('more')}
    </Button>
  )
  return <Menu align="end" trigger={trigger} items={items} />
}

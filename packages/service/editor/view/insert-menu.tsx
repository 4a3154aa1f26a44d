import { Menu } from '@base-ui/react/menu'
import { Toolbar } from '@base-ui/react/toolbar'
import { Plus } from 'lucide-react'

import buttonStyles from './button.module.css'
import type { InsertPorts } from './insertables.ts'
import { insertables } from './insertables.ts'
import styles from './popup.module.css'

/** The toolbar's menu for inserting blocks. */
export function InsertMenu(ports: InsertPorts) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={<Toolbar.Button />} className={buttonStyles.button}>
        <Plus size={16} aria-hidden />
        Insert
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="start">
          <Menu.Popup className={styles.popup} finalFocus={() => ports.editor.view.dom}>
            {insertables.map(({ name, hint, icon: Icon, insert }) => (
              <Menu.Item key={name} className={styles.item} label={name} onClick={() => insert(ports)}>
                <Icon size={16} aria-hidden />
                <span>
                  {name}
                  <small>{hint}</small>
                </span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

import { app } from './ru/app.ts'
import { callback } from './ru/callback.ts'
import { callbacks } from './ru/callbacks.ts'
import { causes } from './ru/causes.ts'
import { comments } from './ru/comments.ts'
import { design } from './ru/design.ts'
import { desk } from './ru/desk.ts'
import { developer } from './ru/developer.ts'
import { doctor } from './ru/doctor.ts'
import { exports } from './ru/exports.ts'
import { fonts } from './ru/fonts.ts'
import { health } from './ru/health.ts'
import { help } from './ru/help.ts'
import { listener } from './ru/listener.ts'
import { materials } from './ru/materials.ts'
import { media } from './ru/media.ts'
import { pages } from './ru/pages.ts'
import { problems } from './ru/problems.ts'
import { publish } from './ru/publish.ts'
import { reasons } from './ru/reasons.ts'
import { remarks } from './ru/remarks.ts'
import { replay } from './ru/replay.ts'
import { review } from './ru/review.ts'
import { settings } from './ru/settings.ts'
import { sites } from './ru/sites.ts'
import { start } from './ru/start.ts'
import { system } from './ru/system.ts'
import { tasks } from './ru/tasks.ts'
import { team } from './ru/team.ts'
import { ui } from './ru/ui.ts'
import { updates } from './ru/updates.ts'
import { versions } from './ru/versions.ts'
import { webhook } from './ru/webhook.ts'

/** Every Russian text, in the shape of the English ones. */
export const ru = {
  app,
  callback,
  callbacks,
  causes,
  comments,
  design,
  desk,
  developer,
  doctor,
  exports,
  fonts,
  health,
  help,
  listener,
  materials,
  media,
  pages,
  problems,
  publish,
  reasons,
  remarks,
  replay,
  review,
  settings,
  sites,
  system,
  tasks,
  team,
  start,
  ui,
  updates,
  versions,
  webhook,
} as const

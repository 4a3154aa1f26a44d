/** The built app, as it is, with the probe before it. */
require('../usable.cjs')
require('../../../../out/main/index.js')

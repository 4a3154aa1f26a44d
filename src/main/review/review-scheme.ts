/** The scheme of stored pages: `galley-review://<random key per showing>/<id>`. */
export const reviewScheme = 'galley-review'

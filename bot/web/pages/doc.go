// Package pages is what people see of Houston in a browser: the overview,
// incidents, postmortems, action items and the audit, and how one signs in.
//
// Pages are written on the server and can be read without a script; the script
// adds keys, the live view and the editor's preview. Each request is made by a
// reader, who is looked up in the directory each time: somebody who is
// deactivated in Slack sees nothing from then on. What a reader may see is
// decided by incidents, in words of [incidents.Request].
//
// Forms are guarded by [http.CrossOriginProtection] and by cookies that no
// other site's form carries (SameSite=Lax), so they need no token of their own.
package pages

/** What the admin API needs of replays: {@link dev.laurel.gateway.replay.Replays}, which another module runs. */
@NullMarked
package dev.laurel.gateway.replay;

import org.jspecify.annotations.NullMarked;

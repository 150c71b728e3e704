/**
 * Sends push messages by APNs, FCM and Expo. Must not know the queue or the stores.
 */
@NullMarked
package dev.laurel.delivery.push;

import org.jspecify.annotations.NullMarked;

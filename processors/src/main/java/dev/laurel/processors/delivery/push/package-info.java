/**
 * Sends push messages by APNs, FCM and Expo. Must not know the queue or the stores.
 */
package dev.laurel.processors.delivery.push;

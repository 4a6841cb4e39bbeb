import type { CustomResource, Int32 } from "@coxswain/operator";

/**
 * Room is what a guest sleeps in.
 * @group hotel.example.com
 * @resource scope=Cluster shortNames=rm
 * @subresource status
 * @printColumn Beds type=integer path=.spec.beds
 * @selectableField .spec.floor
 */
export interface Room extends CustomResource<RoomSpec, RoomStatus> {}

/** RoomSpec is how a room is built. */
export interface RoomSpec {
  /**
   * @default 2
   * @minimum 1
   */
  beds?: Int32;
  floor: string;
}

/** RoomStatus is who is in it. */
export interface RoomStatus {
  guest?: string;
}

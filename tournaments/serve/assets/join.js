// Turns an invitation into a seat: on a click, so that a preview of the address does not use it up.
import {ask, byId, remember, tell} from "/assets/common.js";

byId("sit").addEventListener("click", async () => {
    byId("sit").disabled = true;
    try {
        const {chair} = await ask(`/api/join/${location.pathname.split("/")[2]}`, {});
        remember(chair, "An invitation");
        location.replace(`/table/${chair}`);
    } catch (error) {
        tell(byId("wrong"), error.message);
    }
});

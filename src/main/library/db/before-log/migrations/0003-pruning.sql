-- What deleting a version asks: whether it is somebody's current one.
CREATE INDEX material_by_current ON material (current_version);

//! Fields that are one of a few words: the words are the domain's, told once by its enum.

use serde::{Serialize, Serializer};
use serde_json::Value;
use strum::VariantArray;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{ObjectBuilder, Type},
    },
};

/// A field of an answer that is one of the words of `T`. In a schema: `#[schema(inline)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneOf<T>(pub T);

impl<T> From<T> for OneOf<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Copy + Into<&'static str>> Serialize for OneOf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.into())
    }
}

impl<T: Copy + Into<&'static str> + VariantArray> PartialSchema for OneOf<T> {
    fn schema() -> RefOr<Schema> {
        let words: Vec<&str> = T::VARIANTS.iter().map(|&word| word.into()).collect();
        let mut field = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).build();
        field.example = T::VARIANTS.first().map(|&word| Value::from(word.into()));
        field.into()
    }
}

impl<T: Copy + Into<&'static str> + VariantArray> ToSchema for OneOf<T> {}
